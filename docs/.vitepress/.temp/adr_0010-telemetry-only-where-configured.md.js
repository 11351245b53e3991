import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"10. Tracing costs only those who turn it on","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0010-telemetry-only-where-configured.md","filePath":"adr/0010-telemetry-only-where-configured.md"}');
const _sfc_main = { name: "adr/0010-telemetry-only-where-configured.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_10-tracing-costs-only-those-who-turn-it-on" tabindex="-1">10. Tracing costs only those who turn it on <a class="header-anchor" href="#_10-tracing-costs-only-those-who-turn-it-on" aria-label="Permalink to &quot;10. Tracing costs only those who turn it on&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> Measured on the development machine, loading the OpenTelemetry instrumentations leaves 0.6 of the throughput.</p><p><strong>Decision.</strong> The SDK is loaded only where <code>OTEL_EXPORTER_OTLP_ENDPOINT</code> is set. Without it <code>traceparent</code> still travels: over HTTP, gRPC metadata, the outbox row, NATS headers and the webhook&#39;s own header. Benchmarks report both.</p><p><strong>Consequences.</strong> A customer&#39;s trace goes through us unbroken even when we do not record it.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0010-telemetry-only-where-configured.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0010TelemetryOnlyWhereConfigured = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0010TelemetryOnlyWhereConfigured as default
};
