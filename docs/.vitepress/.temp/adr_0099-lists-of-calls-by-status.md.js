import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"99. The status of a call is indexed once it is over","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0099-lists-of-calls-by-status.md","filePath":"adr/0099-lists-of-calls-by-status.md"}');
const _sfc_main = { name: "adr/0099-lists-of-calls-by-status.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_99-the-status-of-a-call-is-indexed-once-it-is-over" tabindex="-1">99. The status of a call is indexed once it is over <a class="header-anchor" href="#_99-the-status-of-a-call-is-indexed-once-it-is-over" aria-label="Permalink to &quot;99. The status of a call is indexed once it is over&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> A list of calls by status went over the calls of the organization until it had enough: by a rare status among 100,000 calls that is all of them. An index of <code>status</code> is written at each of about five steps of every call, and takes the steps&#39; updates out of their page (they are heap-only now), so that every other index of the table is written as well.</p><p><strong>Decision.</strong> A generated column <code>final_status</code> has the status of calls that are completed, failed, canceled or blocked by policy, else null; an index begins with it. It changes once. A list by a final status compares the column; one by a status of calls that go on takes the null ones, which are few, and compares <code>status</code>. The reason and the direction of a call have an index each, the calls of a campaign one on its attempts.</p><p>Oldest first, the organization is compared as a range: with an equality PostgreSQL takes the key of the table for the order, and walks over the older calls of all others.</p><p><strong>Consequences.</strong> The end of a call writes two more indexes, its insertion three. Adding a stored column rewrites the table: the migration holds it for as long as that takes. <code>metadata</code> of calls is not searched: its values would be a table of their own.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0099-lists-of-calls-by-status.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0099ListsOfCallsByStatus = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0099ListsOfCallsByStatus as default
};
