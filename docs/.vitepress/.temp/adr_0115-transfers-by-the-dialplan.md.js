import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"115. A call over SIP is transferred by the dialplan","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0115-transfers-by-the-dialplan.md","filePath":"adr/0115-transfers-by-the-dialplan.md"}');
const _sfc_main = { name: "adr/0115-transfers-by-the-dialplan.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_115-a-call-over-sip-is-transferred-by-the-dialplan" tabindex="-1">115. A call over SIP is transferred by the dialplan <a class="header-anchor" href="#_115-a-call-over-sip-is-transferred-by-the-dialplan" aria-label="Permalink to &quot;115. A call over SIP is transferred by the dialplan&quot;">​</a></h1><p><strong>Status:</strong> part of it replaced by <a href="/guide/adr/0111-engines-speak-announcements">ADR 111</a></p><p><strong>Context.</strong> Transfers over Twilio join two legs in a room of the carrier (ADR 90). Lines over SIP trunks had none: <code>control_unavailable</code>. A REFER was there in the engine and unused: it ends the stream before the peer has answered, and a refused one ends the call.</p><p><strong>Decision.</strong></p><ul><li>The steps of ADR 90 hold, in the same code: <code>joinLeg</code> takes the verbs of a line as a parameter, as <code>followLine</code> does. Only what a room is differs.</li><li>The leg is a channel of Asterisk with the id of its transfer, placed through the trunk of the call: a repeated order is 409, and one without an answer is asked for by that id. Where it is a SIP address the request names it, and is sent to the vetted peer of the trunk all the same.</li><li>An answered leg asks the application (<code>Stasis(parley,leg)</code>) and then waits in the dialplan, 30 s at most. The line of the call, let go by its worker, asks what follows and runs <code>Bridge</code> with the leg&#39;s channel. Where either hangs up Asterisk ends the other: no process of ours is needed from then on.</li><li>Cold ones alone. Asterisk has no voice, so that a warm one is refused before the other party rings.</li></ul><p><strong>Weighed.</strong> REFER to the peer: no leg of ours and no cost, but its outcome comes after the stream is gone, and many trunks refuse it. Bridges made by REST: what happens when one side hangs up would wait for the process that handles events. <code>ConfBridge</code>: mixes and resamples for two.</p><p><strong>Consequences.</strong> The connected call stays in Asterisk for its whole length, four hours at most, and uses two channels of the trunk. A leg whose report was missed is asked about a minute later.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0115-transfers-by-the-dialplan.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0115TransfersByTheDialplan = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0115TransfersByTheDialplan as default
};
