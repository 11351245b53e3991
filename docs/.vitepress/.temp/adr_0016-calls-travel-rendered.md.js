import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"16. Calls travel as rendered documents","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0016-calls-travel-rendered.md","filePath":"adr/0016-calls-travel-rendered.md"}');
const _sfc_main = { name: "adr/0016-calls-travel-rendered.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_16-calls-travel-as-rendered-documents" tabindex="-1">16. Calls travel as rendered documents <a class="header-anchor" href="#_16-calls-travel-as-rendered-documents" aria-label="Permalink to &quot;16. Calls travel as rendered documents&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> A call is shown in three places: the REST answer, the list, and the <code>data</code> of its events, &quot;as a read would show it then&quot;. With typed messages between telephony and the gateway the same record is rendered twice, in two services, and the two can differ.</p><p><strong>Decision.</strong> Telephony alone renders a call (<code>services/telephony/src/calls/render-call.rules.ts</code>). <code>CallResponse</code>, <code>ListCallsResponse</code>, <code>ListCallEventsResponse</code> and <code>Job.call</code> carry the public JSON as <code>Document</code>; the gateway writes the bytes as they are. Numbers, jobs, leases, keys, endpoints and deliveries stay typed.</p><p><strong>Consequences.</strong> What an event carries is byte for byte what a read answered. The gateway parses no call. A service that needs a field of a call will get it as a typed field beside the document, as ADR 6 says of readers.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0016-calls-travel-rendered.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0016CallsTravelRendered = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0016CallsTravelRendered as default
};
