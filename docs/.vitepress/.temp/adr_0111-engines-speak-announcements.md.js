import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"111. Any engine says the announcement of a transfer over SIP","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0111-engines-speak-announcements.md","filePath":"adr/0111-engines-speak-announcements.md"}');
const _sfc_main = { name: "adr/0111-engines-speak-announcements.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_111-any-engine-says-the-announcement-of-a-transfer-over-sip" tabindex="-1">111. Any engine says the announcement of a transfer over SIP <a class="header-anchor" href="#_111-any-engine-says-the-announcement-of-a-transfer-over-sip" aria-label="Permalink to &quot;111. Any engine says the announcement of a transfer over SIP&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> The other party of a warm transfer hears an announcement before it is connected. Twilio speaks it (ADR 90); Asterisk has no voice, and a warm transfer over SIP was refused (<a href="/guide/adr/0115-transfers-by-the-dialplan">115</a>).</p><p><strong>Decision.</strong></p><ul><li>The answered leg connects a media websocket before it asks what follows: the dialplan dials the engines with <code>say=</code> in place of a token. The engine speaks it in the offline voice and closes; then the dialplan asks, and the transfer is <code>connected</code>.</li><li><code>say</code> holds the text and a time, signed (HMAC-SHA-256) with the password of the REST interface, which telephony and engines share. Any engine can say it, no route and no table is needed, and no one else has an engine speak. It is good for two minutes.</li><li>The offline voice, not that of the agent: the engine that the leg reaches has no lease of the call, and so none of its accounts. What has no Latin letter or digit, or is longer than a value of the dialplan takes (2,250 bytes), is 409 <code>control_unavailable</code> before the other party rings.</li><li>An engine that cannot be reached is tried five times in as many seconds; then the leg is hung up with cause 41, and the outcome is <code>failed</code>. One who hangs up during the announcement declined.</li><li>A leg that rings is given up after a minute, and after a second more for each 8 characters of its announcement, with every carrier.</li></ul><p><strong>Weighed.</strong> The agent&#39;s voice, by the engine that has the call: it would need the leg&#39;s stream at that engine alone, or credentials at others. A file for <code>Playback</code>: Asterisk would have to fetch it. Flite in Asterisk: a module that Debian does not build.</p><p><strong>Consequences.</strong> An English voice speaks other languages badly. An engine that dies in mid-sentence leaves the rest unsaid, and the two are connected all the same: Asterisk does not know how a websocket ended. The text is in the address that Asterisk requests, as tokens are.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0111-engines-speak-announcements.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0111EnginesSpeakAnnouncements = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0111EnginesSpeakAnnouncements as default
};
