import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"1. One writer a table, one schema a service, the organization in every statement","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0001-one-writer-one-schema.md","filePath":"adr/0001-one-writer-one-schema.md"}');
const _sfc_main = { name: "adr/0001-one-writer-one-schema.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_1-one-writer-a-table-one-schema-a-service-the-organization-in-every-statement" tabindex="-1">1. One writer a table, one schema a service, the organization in every statement <a class="header-anchor" href="#_1-one-writer-a-table-one-schema-a-service-the-organization-in-every-statement" aria-label="Permalink to &quot;1. One writer a table, one schema a service, the organization in every statement&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> Seven services share one PostgreSQL server. Reading another service&#39;s tables is the shortest way to a feature and the surest way to a system that cannot be changed. Tenants must not see one another even when a query is written in a hurry.</p><p><strong>Decision.</strong> Each service owns one schema and connects with a role that reaches nothing else. Every finder takes the organization as its first argument and every statement over a tenant table names <code>organization_id</code>. Two kinds of statement are excepted and live apart: <code>db/jobs/</code> (work across tenants) and the owner look-ups that tell a foreign write from an absent one.</p><p><strong>Why not row-level security.</strong> Measured on the development machine it halves primary-key reads, and every background job would need a way around it. A test that reads all statements gives the same promise at no cost at run time.</p><p><strong>Consequences.</strong> Joins across services become RPCs or stored copies. A new table needs an answer to &quot;who writes this?&quot;.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0001-one-writer-one-schema.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0001OneWriterOneSchema = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0001OneWriterOneSchema as default
};
