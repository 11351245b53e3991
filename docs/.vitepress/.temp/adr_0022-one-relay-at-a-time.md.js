import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"22. One relay publishes at a time","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0022-one-relay-at-a-time.md","filePath":"adr/0022-one-relay-at-a-time.md"}');
const _sfc_main = { name: "adr/0022-one-relay-at-a-time.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_22-one-relay-publishes-at-a-time" tabindex="-1">22. One relay publishes at a time <a class="header-anchor" href="#_22-one-relay-publishes-at-a-time" aria-label="Permalink to &quot;22. One relay publishes at a time&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> Every replica of a service relays its outbox. They shared the work by locking the first waiting event of each resource, so that no two of them published one resource&#39;s events. That took a second index over what waits, a lock in the log for every call, and a statement whose steps walked each resource: as much of PostgreSQL as writing the acknowledgements back, and with one replica for nothing.</p><p><strong>Decision.</strong> A pass over the outbox is taken by an advisory lock of its transaction, one for each schema. Who has it reads the oldest waiting events by position, publishes them and writes the acknowledgements back. Who does not get it tries again after the interval of the passes, since whoever has it may have looked before the events that this one was woken for were committed. A process that dies lets go of the pass with its connection.</p><p>The lock is taken by a statement of its own, before the one that reads: the events that the pass before this one published are seen as published.</p><p>Positions follow the order of a resource&#39;s events, because whoever appends holds the resource&#39;s row.</p><p>The commit of a pass is not waited for until it is on disk. A crash of PostgreSQL may take back that something was published; it is published again under its id, which the stream drops within its window of duplicates and consumers drop after it.</p><p><strong>Weighed.</strong></p><ul><li>Partitions of the keys, one for each relay: parallel, but one pass publishes some thousands of events a second, more than a database writes calls.</li><li>A leader for as long as it lives: its death must be noticed by others; here the lock goes with the connection.</li></ul><p><strong>Consequences.</strong> One index less to keep for each event, and no lock of rows. A relay that hangs in the middle of a pass holds the others up until PostgreSQL ends its transaction (30 s). Beside relays of the version before, which lock rows instead, an event may be sent twice under its id, in order. After a step back to that version its relays find their events by <code>outbox_waiting</code> alone, which is slow with many thousands waiting.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0022-one-relay-at-a-time.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0022OneRelayAtATime = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0022OneRelayAtATime as default
};
