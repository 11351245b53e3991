import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"5. Revocation, suspension and maintenance are one polled state","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0005-polled-control-state.md","filePath":"adr/0005-polled-control-state.md"}');
const _sfc_main = { name: "adr/0005-polled-control-state.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_5-revocation-suspension-and-maintenance-are-one-polled-state" tabindex="-1">5. Revocation, suspension and maintenance are one polled state <a class="header-anchor" href="#_5-revocation-suspension-and-maintenance-are-one-polled-state" aria-label="Permalink to &quot;5. Revocation, suspension and maintenance are one polled state&quot;">​</a></h1><p><strong>Status:</strong> accepted; <a href="/guide/adr/0042-control-state-by-changes">ADR 42</a> says what a poll carries</p><p><strong>Context.</strong> A revoked key must be refused by every replica within a second, although verification is cached. A push can be lost, and a lost push is a key that works for ever.</p><p><strong>Decision.</strong> <code>auth</code> keeps one epoch row, bumped in the transaction of every revocation, suspension and maintenance change. Gateways and telephony poll the state each 200 ms and trust what they hold for one second, on a monotonic clock, from the sending of the last poll that succeeded. A key read at an older epoch than the applied one is not cached. Outside trust each verification asks auth (single flight); when auth cannot answer, the request is a 503, never a stale yes and never a 401.</p><p><strong>Consequences.</strong> Five small RPCs a second per replica. Nothing to subscribe to, nothing to lose.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0005-polled-control-state.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0005PolledControlState = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0005PolledControlState as default
};
