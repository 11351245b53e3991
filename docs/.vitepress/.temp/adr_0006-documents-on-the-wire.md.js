import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"6. Typed fields for readers, documents for carriers","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0006-documents-on-the-wire.md","filePath":"adr/0006-documents-on-the-wire.md"}');
const _sfc_main = { name: "adr/0006-documents-on-the-wire.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_6-typed-fields-for-readers-documents-for-carriers" tabindex="-1">6. Typed fields for readers, documents for carriers <a class="header-anchor" href="#_6-typed-fields-for-readers-documents-for-carriers" aria-label="Permalink to &quot;6. Typed fields for readers, documents for carriers&quot;">​</a></h1><p><strong>Status:</strong> replaced by <a href="/guide/adr/0033-public-requests-travel-in-one-envelope">ADR 33</a></p><p><strong>Context.</strong> Declaring the agent&#39;s 200 fields a second time in protobuf would double every change and blur null with absent.</p><p><strong>Decision.</strong> A receiver that reads a field gets a typed protobuf field. One that only stores a body, validates it as its owner, or returns it gets <code>Document { bytes json; string schema }</code>. The class in <code>libs/contract</code> is the one declaration; the owning service alone applies its shape rules; the gateway writes answer bytes as they are.</p><p><strong>Consequences.</strong> REST, MCP and the command line cannot differ in what they accept. A document never holds a secret.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0006-documents-on-the-wire.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0006DocumentsOnTheWire = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0006DocumentsOnTheWire as default
};
