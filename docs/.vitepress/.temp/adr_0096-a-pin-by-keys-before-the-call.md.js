import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"96. A PIN by keys before the call","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0096-a-pin-by-keys-before-the-call.md","filePath":"adr/0096-a-pin-by-keys-before-the-call.md"}');
const _sfc_main = { name: "adr/0096-a-pin-by-keys-before-the-call.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_96-a-pin-by-keys-before-the-call" tabindex="-1">96. A PIN by keys before the call <a class="header-anchor" href="#_96-a-pin-by-keys-before-the-call" aria-label="Permalink to &quot;96. A PIN by keys before the call&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> A workflow&#39;s draft is tried by telephone with a PIN of six digits. Media gateways gave it with the incoming call; on lines of carriers, which engines answer, no keys were asked for. The draft must conduct the call from its first word, and callers who know nothing of a PIN must not be disturbed.</p><p><strong>Decision.</strong></p><ul><li><strong>The carrier gathers the keys, before there is a call.</strong> When a line comes in at a number whose agent has a PIN armed, the answer to the webhook is a <code>&lt;Gather&gt;</code> of six keys in silence, three seconds for each; its action brings the keys back to the same route. Then the call is made as any other, with the draft where the keys are the PIN. The engine knows nothing of it: a job says which workflow conducts the call.</li><li>Nothing else changes for callers: where no PIN is armed the stream is the first answer. While one is, an ordinary caller hears three seconds of silence before the greeting, and the line is answered by then, so that a refusal ends it instead of rejecting it.</li><li>A wrong PIN counts (five an hour at a number, as at media gateways) and makes an ordinary call, as fewer keys do: a caller learns nothing from it.</li><li><strong>Disarming a PIN, and arming another, ends the calls in progress that the draft conducts.</strong> agents ends the PIN first and then asks telephony (<code>EndDraftCalls</code>), which cancels them as an operator&#39;s cancellation does. Where telephony does not answer the act is 503, the PIN has ended all the same, and repeating it ends the calls.</li><li>Rejected: keys during the greeting. The engine would have to hand back a call that it has begun to conduct with the published workflow, and the first words would be those of the wrong one.</li></ul><p><strong>Consequences.</strong></p><ul><li>Each incoming call on a line of a carrier asks agents once more whether a PIN is armed.</li><li>A caller who hangs up within the seconds of the keys leaves no record.</li><li>Draft calls that a PIN let in go on where it expires or the draft is published.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0096-a-pin-by-keys-before-the-call.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0096APinByKeysBeforeTheCall = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0096APinByKeysBeforeTheCall as default
};
