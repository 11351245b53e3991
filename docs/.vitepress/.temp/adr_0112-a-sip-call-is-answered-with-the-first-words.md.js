import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"112. An incoming SIP call is answered with the agent's first words","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0112-a-sip-call-is-answered-with-the-first-words.md","filePath":"adr/0112-a-sip-call-is-answered-with-the-first-words.md"}`);
const _sfc_main = { name: "adr/0112-a-sip-call-is-answered-with-the-first-words.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_112-an-incoming-sip-call-is-answered-with-the-agent-s-first-words" tabindex="-1">112. An incoming SIP call is answered with the agent&#39;s first words <a class="header-anchor" href="#_112-an-incoming-sip-call-is-answered-with-the-agent-s-first-words" aria-label="Permalink to &quot;112. An incoming SIP call is answered with the agent&#39;s first words&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> The dialplan answered an incoming call and then connected its stream. Websocket, adoption, configuration and the synthesis of the greeting came after the answer: 0.3 s of silence for one call at a time, 1.9 s for the slowest of 20 that came in the same moment. The caller heard nothing, and paid for it.</p><p><strong>Decision.</strong></p><ul><li>A call that rings goes on ringing while its stream is connected (<code>n</code> of chan_websocket, and <code>rings=1</code> in the address that the engine is asked for). The engine sends <code>ANSWER</code> before the first sound that it has for the call, a second after it was adopted at the latest, for agents that wait for the caller to speak.</li><li>A call that was answered before is connected as it was: calls that the platform places, and those that another engine goes on with.</li><li>The engine&#39;s clocks and the record are as before: the call is <code>answered</code> when an engine has adopted it, up to a second before the carrier charges for it.</li></ul><p><strong>Weighed.</strong> To keep the sound of greetings by text and voice: it would hide the synthesis alone, at the price of a store of what agents say. <code>Answer()</code> by telephony on a report of the engine: one more request through the gateway before each first word.</p><p><strong>Consequences.</strong> An engine of an earlier release never sends <code>ANSWER</code>: engines are rolled before Asterisk is given this dialplan. A caller who gives up while it rings is on record as <code>caller_hung_up</code> where an engine had the call already. Calls that Twilio brings are answered by <code>&lt;Connect&gt;</code>, as before.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0112-a-sip-call-is-answered-with-the-first-words.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0112ASipCallIsAnsweredWithTheFirstWords = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0112ASipCallIsAnsweredWithTheFirstWords as default
};
