import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"4. Agents owns configuration; publications are content-addressed","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0004-publications-are-content-addressed.md","filePath":"adr/0004-publications-are-content-addressed.md"}');
const _sfc_main = { name: "adr/0004-publications-are-content-addressed.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_4-agents-owns-configuration-publications-are-content-addressed" tabindex="-1">4. Agents owns configuration; publications are content-addressed <a class="header-anchor" href="#_4-agents-owns-configuration-publications-are-content-addressed" aria-label="Permalink to &quot;4. Agents owns configuration; publications are content-addressed&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> A voice-stack save validates, compiles against the provider catalogue and publishes. Two services writing pieces of one save need a distributed transaction, or leave halves behind.</p><p><strong>Decision.</strong> <code>agents</code> is the one writer of an agent&#39;s document, version number, history and pointer. <code>voice-stack</code> compiles, and stores publications by <code>(organization_id, sha256)</code>, put if absent, never changed, never collected. <code>agents</code> then writes document, read projection, pointer and version in one transaction under an optimistic revision. That write is the only commit point.</p><p><strong>Consequences.</strong> A crash before the commit leaves an unreferenced publication and nothing else. A call pins a hash, so that saving never changes a call in progress. Reads need no second hop: the projection is stored ready to serve.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0004-publications-are-content-addressed.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0004PublicationsAreContentAddressed = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0004PublicationsAreContentAddressed as default
};
