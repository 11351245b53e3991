import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"8. One error type that crosses gRPC whole","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0008-errors-cross-grpc-whole.md","filePath":"adr/0008-errors-cross-grpc-whole.md"}');
const _sfc_main = { name: "adr/0008-errors-cross-grpc-whole.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_8-one-error-type-that-crosses-grpc-whole" tabindex="-1">8. One error type that crosses gRPC whole <a class="header-anchor" href="#_8-one-error-type-that-crosses-grpc-whole" aria-label="Permalink to &quot;8. One error type that crosses gRPC whole&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> A gRPC status has a code and a text. The error model of the interface needs more: its own code, fields at fault, blockers, a time to retry after.</p><p><strong>Decision.</strong> <code>AppError</code> carries a code of the catalogue, a message, extra fields and a status. A handler throws it, the server writes it into a trailer, the client rebuilds it, and the gateway&#39;s <code>render-error.ts</code> is the only place that writes an error body. Anything else that is thrown becomes <code>internal_error</code> with a request id; its cause goes to the log alone.</p><p><strong>Consequences.</strong> Retry-After, blockers and the like survive every hop without code on the way. gRPC status codes are for the transport only.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0008-errors-cross-grpc-whole.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0008ErrorsCrossGrpcWhole = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0008ErrorsCrossGrpcWhole as default
};
