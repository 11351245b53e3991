import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Decisions","description":"","frontmatter":{},"headers":[],"relativePath":"adr/index.md","filePath":"adr/README.md"}');
const _sfc_main = { name: "adr/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="decisions" tabindex="-1">Decisions <a class="header-anchor" href="#decisions" aria-label="Permalink to &quot;Decisions&quot;">​</a></h1><p>One page for each decision about the structure of Parley that another engineer would otherwise undo. A page has a number, a title that states the decision, and four parts:</p><div class="language- vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang"></span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span># &lt;number&gt;. &lt;what was decided, as a sentence&gt;</span></span>
<span class="line"><span></span></span>
<span class="line"><span>**Status:** accepted | replaced by &lt;link&gt; | part of it replaced by &lt;link&gt;</span></span>
<span class="line"><span></span></span>
<span class="line"><span>**Context.** What made a decision necessary.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>**Decision.** What is done, so precisely that the code can be held against it.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>**Consequences.** What was gained, what it costs, and what was tried and left out, with figures where they were measured.</span></span></code></pre></div><p>A decision is not rewritten when a later one replaces it: its status names the later one. The parts keep the words of their time; <span class="source" title="docs/moved.md">moved files</span> has the paths that were renamed since.</p><p>Numbers are taken when work on a decision begins, by several people at once. A number without a page belongs to work whose decision went into another page or was not needed; it is not used again.</p><p><code>scripts/adr.test.mts</code> holds the format.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/README.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  README as default
};
