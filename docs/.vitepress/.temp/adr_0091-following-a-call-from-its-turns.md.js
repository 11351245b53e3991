import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"91. A call is followed from its reported turns","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0091-following-a-call-from-its-turns.md","filePath":"adr/0091-following-a-call-from-its-turns.md"}');
const _sfc_main = { name: "adr/0091-following-a-call-from-its-turns.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_91-a-call-is-followed-from-its-reported-turns" tabindex="-1">91. A call is followed from its reported turns <a class="header-anchor" href="#_91-a-call-is-followed-from-its-reported-turns" aria-label="Permalink to &quot;91. A call is followed from its reported turns&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> People follow calls while they go on: states, turns, tools. Engines report turns already, within the moment, so that they outlive the engine (ADR 79).</p><p><strong>Decision.</strong></p><ul><li>The stream is read from what telephony keeps anyway: the status of the call and <code>call_turns</code>, and once the call is over its transcript. Nothing new is reported, and nothing is kept for a reader: no sound, no queue, no effect on the call.</li><li>The gateway asks <code>WatchCall</code> with a cursor and waits there, as it does for events. The cursor holds the status, the position of the first turn that may still change, and digests of the eight turns from there on: enough to tell what grew or was cut short. So any gateway and any telephony can go on where another was, and a late reader gets the turns so far.</li><li>A report of turns wakes the readers of its call over the signals of ADR 89; without one they look once a second.</li><li>The credential is judged before each event and each question, so that a revoked key sees nothing after a second.</li></ul><p><strong>Weighed.</strong> Events over NATS from the engine through telephony: lost when a replica restarts, and one more thing that an engine sends for each call. A table of events of its own: the turns twice.</p><p><strong>Consequences.</strong> What is not in the transcript is not in the stream: no words that are still being recognised, and no state within a turn, such as thinking. A reader costs a query of a few rows for each report of its call, and one a second.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0091-following-a-call-from-its-turns.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0091FollowingACallFromItsTurns = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0091FollowingACallFromItsTurns as default
};
