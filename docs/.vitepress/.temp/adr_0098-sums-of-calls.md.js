import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"98. Sums of calls are written with the end of each call","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0098-sums-of-calls.md","filePath":"adr/0098-sums-of-calls.md"}');
const _sfc_main = { name: "adr/0098-sums-of-calls.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_98-sums-of-calls-are-written-with-the-end-of-each-call" tabindex="-1">98. Sums of calls are written with the end of each call <a class="header-anchor" href="#_98-sums-of-calls-are-written-with-the-end-of-each-call" aria-label="Permalink to &quot;98. Sums of calls are written with the end of each call&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> Figures of calls by hour and day (<code>GET /v1/analytics/calls</code>) over the calls themselves read as many rows as there are calls, and lose the calls that are erased.</p><p><strong>Decision.</strong> <code>call_rollups</code> has one row for each organization, hour (UTC) and kind of call (project, agent, direction, channel, carrier, status, reason). The transaction that ends a call adds one to it, before the organization&#39;s hot row, so that locks are taken in one order; the transaction that keeps a transcript adds the latencies of its turns to a histogram of 60 buckets, each a tenth wider than the one before: percentiles of any period are those of the sum of its histograms, within 5 %.</p><p>Events could have fed the sums as well, later and idempotently; that would be a second store of what was counted, and an answer right after the end of a call would lack it.</p><p><strong>Consequences.</strong> An answer reads rows by kind and hour, not calls. Rows name no person and stay when a call is erased. The migration counts the calls that were over; a call that ends under the previous version while both run is not counted, and has no latency. Calls of one agent that end at the same moment write the same row one after the other, as they do the hot row.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0098-sums-of-calls.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0098SumsOfCalls = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0098SumsOfCalls as default
};
