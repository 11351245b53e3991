import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"12. Idempotency is a row in the transaction of what it creates","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0012-idempotency-in-the-same-transaction.md","filePath":"adr/0012-idempotency-in-the-same-transaction.md"}');
const _sfc_main = { name: "adr/0012-idempotency-in-the-same-transaction.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_12-idempotency-is-a-row-in-the-transaction-of-what-it-creates" tabindex="-1">12. Idempotency is a row in the transaction of what it creates <a class="header-anchor" href="#_12-idempotency-is-a-row-in-the-transaction-of-what-it-creates" aria-label="Permalink to &quot;12. Idempotency is a row in the transaction of what it creates&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> A key looked up in a cache beside the database is wrong in the one moment it exists for: a crash between the two.</p><p><strong>Decision.</strong> <code>(organization_id, route, key)</code> is a primary key in the creating service&#39;s own schema, written in the same transaction as the record, with a fingerprint over the canonical JSON of the body, both body and answer less their secrets: a stored digest of a body that is known but for one field would let that field be tried. It is looked up before any other rule. Of several requests at once one wins on the unique index; the others wait for it and answer what it answered.</p><p><strong>Consequences.</strong> Exact under any concurrency, with several replicas and under kill -9, at the price of one index.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0012-idempotency-in-the-same-transaction.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0012IdempotencyInTheSameTransaction = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0012IdempotencyInTheSameTransaction as default
};
