import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"116. Polls begin at a floor","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0116-polls-begin-at-a-floor.md","filePath":"adr/0116-polls-begin-at-a-floor.md"}');
const _sfc_main = { name: "adr/0116-polls-begin-at-a-floor.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_116-polls-begin-at-a-floor" tabindex="-1">116. Polls begin at a floor <a class="header-anchor" href="#_116-polls-begin-at-a-floor" aria-label="Permalink to &quot;116. Polls begin at a floor&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> A queue here is an index by the time at which things are due, read from its beginning. What was done leaves its entry there until vacuum removes it, and while any transaction holds an old snapshot (a dump, a report, a forgotten session) vacuum removes nothing: each poll then walks over everything that was done since, about a microsecond an entry. Heartbeats of leases were the worst: each moved an entry in an index by the time of the lease, a million and more in two hours of a thousand calls. The outbox knows its settled position already.</p><p><strong>Decision.</strong> A poll begins at a floor (<code>DueFloor</code>, libs/runtime): a time below which nothing waited at a look, three minutes in the past at most. Every ten seconds a look, which itself begins at the floor, moves it. It holds because what makes something due gives it a time of its own transaction or a later one, and transactions are shorter than three minutes; jobs are never made due longer than a minute before they are there. Once an hour a poll begins at the beginning, whatever is believed. A clock of the database that is set back lowers the floor at the next look. Claims have a common floor and one for each lane whose jobs wait for long; webhooks one for each endpoint. Floors are in memory alone: a process that starts walks once.</p><p>No index has the time at which a lease ends: leased jobs are as many as calls are talking, and expired ones are found among those. Heartbeats update their row in its own page.</p><p><strong>Weighed.</strong> A column of the lane as the floor: written in the hottest row, and by every replica. Queues in partitions: two hours are less than any sensible period. Deleting jobs that are done: dead entries are the same.</p><p><strong>Consequences.</strong> The rows that are written with each call, of an organization&#39;s counters and its lane, have one version for each write until the snapshot ends, and every access by key walks over those of that organization; floors do not help there. <code>npm run chaos -- long-snapshot</code> measures what remains. The alert ParleySnapshotHeld says that a snapshot is held for half an hour.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0116-polls-begin-at-a-floor.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0116PollsBeginAtAFloor = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0116PollsBeginAtAFloor as default
};
