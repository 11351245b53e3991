import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"83. The TypeScript SDK is generated, and little is written by hand","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0083-a-generated-sdk.md","filePath":"adr/0083-a-generated-sdk.md"}');
const _sfc_main = { name: "adr/0083-a-generated-sdk.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_83-the-typescript-sdk-is-generated-and-little-is-written-by-hand" tabindex="-1">83. The TypeScript SDK is generated, and little is written by hand <a class="header-anchor" href="#_83-the-typescript-sdk-is-generated-and-little-is-written-by-hand" aria-label="Permalink to &quot;83. The TypeScript SDK is generated, and little is written by hand&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> Clients wrote requests by hand, and each had to get retries, idempotency, pages and signatures right.</p><p><strong>Decision.</strong></p><ul><li><code>@hey-api/openapi-ts</code>, pinned exactly, generates types and operations from docs/openapi.json into the repository. <code>npm run sdk</code> writes them, a test refuses a difference. It needs neither Java nor a hosted service.</li><li>Operations keep their <code>operationId</code> under their tag: shorter names would change when a route is added next to them.</li><li>Written by hand: errors, retries, pages, the event stream, webhooks, read-change-If-Match, the protocol of test calls. No dependencies: Web Crypto signs and compares.</li><li>A request is repeated only where that cannot do the work twice: refused before any work (429, 503 with Retry-After), a read, or a write under an Idempotency-Key. Which operations take the key is generated too.</li></ul><p><strong>Consequences.</strong> A change of the contract includes <code>npm run sdk</code>. The generated sources, some 750 KB, are left out of lint, format and words.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0083-a-generated-sdk.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0083AGeneratedSdk = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0083AGeneratedSdk as default
};
