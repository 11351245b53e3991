import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"24. The event log is numbered under a row of its organization","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0024-event-log-by-head-row.md","filePath":"adr/0024-event-log-by-head-row.md"}');
const _sfc_main = { name: "adr/0024-event-log-by-head-row.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_24-the-event-log-is-numbered-under-a-row-of-its-organization" tabindex="-1">24. The event log is numbered under a row of its organization <a class="header-anchor" href="#_24-the-event-log-is-numbered-under-a-row-of-its-organization" aria-label="Permalink to &quot;24. The event log is numbered under a row of its organization&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> Readers of <code>GET /v1/events</code> go on after the last event they saw, so no event may ever become visible behind one that was read. Ids and identity columns do not give that: both are taken before the commit, and commits come in any order.</p><p><strong>Decision.</strong> Each transaction that takes events in first raises <code>event_heads.last_seq</code> of their organizations, in the order of ids, and numbers its events with what it got. The row stays locked until the commit, so numbers are committed in their order. A reader reads the head before the events: whatever is not found up to it never will be, and the cursor may move over events that the reader must not see.</p><p><strong>Weighed.</strong></p><ul><li><code>pg_current_xact_id()</code> and the snapshot&#39;s xmin: no lock, but one long transaction anywhere in the cluster holds every log up, and numbers mean nothing after a restore into another cluster.</li><li>Sorting by id and reading a few seconds behind: late, and wrong as soon as a consumer lags by more.</li></ul><p><strong>Consequences.</strong> Batches with events of one organization are taken in one after the other. A batch is one transaction of some milliseconds and carries up to some hundreds of events.</p><p>Test events are kept beside the log (<code>is_test</code>, no number). A server-sent event&#39;s id is the same cursor as a page&#39;s, so a stream can be gone on with on any gateway, and as pages. Waiting readers of one process share one look at the heads every 200 ms; a replica&#39;s own intake wakes them at once.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0024-event-log-by-head-row.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0024EventLogByHeadRow = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0024EventLogByHeadRow as default
};
