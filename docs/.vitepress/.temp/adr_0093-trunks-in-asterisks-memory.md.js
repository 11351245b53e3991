import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"93. Trunks live in Asterisk's memory, and peers are shared","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0093-trunks-in-asterisks-memory.md","filePath":"adr/0093-trunks-in-asterisks-memory.md"}`);
const _sfc_main = { name: "adr/0093-trunks-in-asterisks-memory.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_93-trunks-live-in-asterisk-s-memory-and-peers-are-shared" tabindex="-1">93. Trunks live in Asterisk&#39;s memory, and peers are shared <a class="header-anchor" href="#_93-trunks-live-in-asterisk-s-memory-and-peers-are-shared" aria-label="Permalink to &quot;93. Trunks live in Asterisk&#39;s memory, and peers are shared&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> Organizations bring SIP trunks with credentials. Asterisk needs them to place calls and to know whose an incoming call is. Several organizations may have the same carrier, so the same addresses.</p><p><strong>Decision.</strong></p><ol><li><em>Pushed, not stored.</em> Telephony puts a trunk&#39;s <code>auth</code> and <code>endpoint</code> into Asterisk by ARI&#39;s dynamic configuration before each call (two requests); sorcery keeps them in memory. A restarted Asterisk needs nothing to be restored, and no file or database but the platform&#39;s holds a password, which is sealed there.</li><li><em>Vetted addresses.</em> The host is resolved and vetted as other outbound addresses are (<code>SIP_ALLOWED_CIDRS</code>, <code>SIP_ALLOWED_HOSTS</code>); packets go to the vetted address by an outbound proxy that is hidden from the request, which names the host.</li><li><em>A password stays with its peer.</em> A change of host, port, transport or username needs it again.</li><li><em>Incoming calls are identified by address and number.</em> One <code>identify</code> for each address of a trunk leads to one endpoint; any other address is challenged by Asterisk and never reaches the platform. Of the numbers on trunks at that address the verified one receives the call. Where one organization alone has the address an unverified one does too. Else the call is declined with 404, alike for numbers that exist and that do not.</li></ol><p><strong>Weighed.</strong> Realtime from PostgreSQL: Asterisk would read the platform&#39;s tables, passwords included. One endpoint for each trunk, identified by address: with two trunks at one address Asterisk takes either.</p><p><strong>Consequences.</strong> What remains: No registration: a peer sends calls to Asterisk&#39;s address by itself. IPv4 and A records alone; UDP and TCP without TLS and SRTP. Another organization that names the same host makes unverified numbers there unreachable: have numbers verified. A trunk reaches Asterisk within 2 s for incoming calls, at once for outgoing ones.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0093-trunks-in-asterisks-memory.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0093TrunksInAsterisksMemory = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0093TrunksInAsterisksMemory as default
};
