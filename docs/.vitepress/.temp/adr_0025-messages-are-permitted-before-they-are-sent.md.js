import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"25. Messages are permitted before they are sent, and an unknown outcome is never sent again","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0025-messages-are-permitted-before-they-are-sent.md","filePath":"adr/0025-messages-are-permitted-before-they-are-sent.md"}');
const _sfc_main = { name: "adr/0025-messages-are-permitted-before-they-are-sent.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_25-messages-are-permitted-before-they-are-sent-and-an-unknown-outcome-is-never-sent-again" tabindex="-1">25. Messages are permitted before they are sent, and an unknown outcome is never sent again <a class="header-anchor" href="#_25-messages-are-permitted-before-they-are-sent-and-an-unknown-outcome-is-never-sent-again" aria-label="Permalink to &quot;25. Messages are permitted before they are sent, and an unknown outcome is never sent again&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> A carrier takes a message over HTTP. Between its taking it and our writing that down a process may die, and Twilio&#39;s interface has no key by which a repeat would be dropped.</p><p><strong>Decision.</strong></p><ul><li>A message is sent by whichever replica holds its permit: one statement marks a batch as <code>sending</code> and commits before any carrier is called.</li><li>A permit that ran out is followed up. A carrier that drops repeats is called again. One that does not is never called again: the message waits as unknown for the carrier&#39;s own report, which names it by our id, and fails as <code>outcome_unknown</code> when none comes. The same holds for a request that timed out or was answered with a 5xx.</li><li>Carriers, like clients, deliver more than once: incoming messages are unique by carrier and <code>MessageSid</code>.</li><li>Admission reads and locks the organization&#39;s hot row once for all messages that wait, holds the price, and lets go of it when the carrier took the message. Messages have no reviews: a rule of outbound policy that wants one refuses the message, which is created as <code>failed</code> (201).</li><li>Webhooks of carriers are no declared routes: they carry a signature in place of a key, a form in place of JSON, and are not for customers.</li></ul><p><strong>Consequences.</strong> We never send a message twice. Where it is unknown whether a message was sent, it may not have been.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0025-messages-are-permitted-before-they-are-sent.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0025MessagesArePermittedBeforeTheyAreSent = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0025MessagesArePermittedBeforeTheyAreSent as default
};
