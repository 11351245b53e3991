import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"7. Worker jobs: lease, permit, fencing epoch","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0007-leases-permits-and-fencing.md","filePath":"adr/0007-leases-permits-and-fencing.md"}');
const _sfc_main = { name: "adr/0007-leases-permits-and-fencing.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_7-worker-jobs-lease-permit-fencing-epoch" tabindex="-1">7. Worker jobs: lease, permit, fencing epoch <a class="header-anchor" href="#_7-worker-jobs-lease-permit-fencing-epoch" aria-label="Permalink to &quot;7. Worker jobs: lease, permit, fencing epoch&quot;">​</a></h1><p><strong>Status:</strong> accepted; <a href="/guide/adr/0043-silence-of-workers">ADR 43</a> says when a lease is reaped</p><p><strong>Context.</strong> A worker can die, hang or lose its network at any line. The call it holds must neither be lost nor be dialled twice.</p><p><strong>Decision.</strong> A claim gives a lease (15 s, renewed by heartbeats each 5 s) and an epoch that every write carries; a stale one is a 409. The <code>dialing</code> report is a permit: the worker calls the carrier only after the platform acknowledged it. A lease lost before the permit puts the job back into the queue; one lost after it finishes the record and never dials again. The reaper starts only when the service could itself have taken heartbeats for one whole lease. All deadlines are compared by the database&#39;s clock.</p><p><strong>Consequences.</strong> A crash between permit and dialling ends a call that was never placed, with a reason that says so. We prefer that to ringing a person twice.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0007-leases-permits-and-fencing.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0007LeasesPermitsAndFencing = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0007LeasesPermitsAndFencing as default
};
