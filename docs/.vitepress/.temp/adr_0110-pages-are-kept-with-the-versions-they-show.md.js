import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"110. Pages of agents are kept with the versions that they show","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0110-pages-are-kept-with-the-versions-they-show.md","filePath":"adr/0110-pages-are-kept-with-the-versions-they-show.md"}');
const _sfc_main = { name: "adr/0110-pages-are-kept-with-the-versions-they-show.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_110-pages-of-agents-are-kept-with-the-versions-that-they-show" tabindex="-1">110. Pages of agents are kept with the versions that they show <a class="header-anchor" href="#_110-pages-of-agents-are-kept-with-the-versions-that-they-show" aria-label="Permalink to &quot;110. Pages of agents are kept with the versions that they show&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> A page of 25 agents is 35 KB that rarely differ from what the same request was answered a moment before. Most of its CPU was spent on reading them from PostgreSQL, and on joining and writing them out in agents.</p><p><strong>Decision.</strong> Agents keeps the pages that it answered, 16 MiB of them by what was asked for, each with its <em>versions</em>: for every row of the page its id, its revision and the id of the transaction that wrote it. A request sends the versions of the page that is kept. One statement reads the versions of the page as it is now and, in the same snapshot, the reads themselves only where the versions differ. So an answer is as fresh as one without a cache; nothing has to announce changes.</p><p>The revision alone would not do: a row that is rendered again keeps it. A transaction&#39;s id alone would not do either: a standby that takes over gives some out again.</p><p><strong>Consequences.</strong> A page that changed costs a second walk along the index in the same statement. Replicas keep pages of their own. What was deleted may stay in the memory of a process until other pages push it out; it is never answered, since its versions are not read any more.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0110-pages-are-kept-with-the-versions-they-show.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0110PagesAreKeptWithTheVersionsTheyShow = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0110PagesAreKeptWithTheVersionsTheyShow as default
};
