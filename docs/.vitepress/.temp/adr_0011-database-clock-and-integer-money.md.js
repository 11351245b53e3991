import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"11. The database's clock decides; money is integers","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0011-database-clock-and-integer-money.md","filePath":"adr/0011-database-clock-and-integer-money.md"}`);
const _sfc_main = { name: "adr/0011-database-clock-and-integer-money.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_11-the-database-s-clock-decides-money-is-integers" tabindex="-1">11. The database&#39;s clock decides; money is integers <a class="header-anchor" href="#_11-the-database-s-clock-decides-money-is-integers" aria-label="Permalink to &quot;11. The database&#39;s clock decides; money is integers&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> Several replicas compare times, and their clocks differ. Amounts of money are summed in many small parts.</p><p><strong>Decision.</strong> Whatever is compared between replicas (leases, retry timers, windows, caps) is compared by PostgreSQL&#39;s clock. Processes measure only their own waiting, on the monotonic clock. Amounts are 64-bit integers in micro-units of a currency. The engine&#39;s core and the domain rules take time as an argument.</p><p><strong>Consequences.</strong> A replica with a wrong clock is harmless. Tests inject clocks instead of sleeping.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0011-database-clock-and-integer-money.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0011DatabaseClockAndIntegerMoney = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0011DatabaseClockAndIntegerMoney as default
};
