import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"85. The sound of a call to the customer's server","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0085-the-sound-of-a-call-to-the-customers-server.md","filePath":"adr/0085-the-sound-of-a-call-to-the-customers-server.md"}`);
const _sfc_main = { name: "adr/0085-the-sound-of-a-call-to-the-customers-server.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_85-the-sound-of-a-call-to-the-customer-s-server" tabindex="-1">85. The sound of a call to the customer&#39;s server <a class="header-anchor" href="#_85-the-sound-of-a-call-to-the-customer-s-server" aria-label="Permalink to &quot;85. The sound of a call to the customer&#39;s server&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> Agents of the mode <code>external_audio</code> hear and speak by themselves. Customers who have such a server have it for Twilio&#39;s media streams, and so have the frameworks that they build it with.</p><p><strong>Decision.</strong></p><ul><li>The engine is the client of a websocket at the agent&#39;s <code>audio_stream_url</code> and sends what Twilio&#39;s media streams send: <code>connected</code>, <code>start</code>, <code>media</code>, <code>dtmf</code>, <code>mark</code>, <code>stop</code>; it takes <code>media</code>, <code>mark</code> and <code>clear</code>, and next to them <code>dtmf</code> and <code>hang_up</code>. Sound is mu-law at 8,000 samples a second on every line, so that one server is right for telephones and browsers.</li><li>The call is no session: no core, no plan, no transcript. It shares with one the line, the playout and its clock, the key tones, the recorder, and the reports (<code>AudioCall</code>).</li><li>The handshake is signed as requests are, with <code>{}</code> in place of a body, because libraries of Standard Webhooks parse what they verify. The address is vetted at each connection.</li><li>A lost connection is made again for 10 s as a new stream of the same call, because a deployment of the customer&#39;s server should hang up no call. The server has no state of ours to go on from; its own is found by the <code>call_id</code>.</li><li>Numbers of the simulator carry text. Agents of this mode are refused on them when the call is asked for, and only workers with sound declare the mode.</li></ul><p><strong>Consequences.</strong> What Parley knows of such a call is its sound: turn latency, answer detection and extraction do not apply.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0085-the-sound-of-a-call-to-the-customers-server.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0085TheSoundOfACallToTheCustomersServer = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0085TheSoundOfACallToTheCustomersServer as default
};
