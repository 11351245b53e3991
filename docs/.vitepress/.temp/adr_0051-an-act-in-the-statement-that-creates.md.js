import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"51. An agent and its act are one statement; acts are kept in batches","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0051-an-act-in-the-statement-that-creates.md","filePath":"adr/0051-an-act-in-the-statement-that-creates.md"}');
const _sfc_main = { name: "adr/0051-an-act-in-the-statement-that-creates.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_51-an-agent-and-its-act-are-one-statement-acts-are-kept-in-batches" tabindex="-1">51. An agent and its act are one statement; acts are kept in batches <a class="header-anchor" href="#_51-an-agent-and-its-act-are-one-statement-acts-are-kept-in-batches" aria-label="Permalink to &quot;51. An agent and its act are one statement; acts are kept in batches&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> Since every change of an agent is audited, <code>POST /v1/agents</code> was a look-up of its Idempotency-Key and a transaction of four statements, and auth gave each act a transaction and a row of <code>stream_memory</code> of its own. PostgreSQL and the round trips to it became the largest part of the request: it cost 1.2 times the CPU that it had before acts were kept, over all processes.</p><p><strong>Decision.</strong></p><ul><li>The statement that inserts an agent also appends its act to the outbox, with the time that the database gives the agent. <code>auditEventBeforeTime</code> writes the payload up to that time; <code>outboxInsert</code> is the insert, as for calls.</li><li>An Idempotency-Key is looked up only where the insertion finds it taken, or where a rule fails before that. Most keys are new; an earlier answer still stands above every rule, because whatever fails is followed by the look-up (<code>recallAfter</code>).</li><li>auth keeps the acts that arrived together with one statement. Acts that change the control state are in its transaction: first the agents in the order of their ids, the epoch last. A batch that fails is handled act by act.</li><li>Replies with large bodies are encoded with one copy of each body (<code>encodeReplies</code>), and a channel may have 1 MiB under way before a server waits for its client, so that the pages of several lists need no round trip between them.</li></ul><p><strong>Consequences.</strong></p><ul><li>A replayed creation is compiled before it is found to be a replay, and costs more than a look-up.</li><li>What failed for a reason of its own (a service that is away) is answered with the earlier answer where there is one, as before.</li><li><code>encodeReplies</code> knows the tags of three fields of <code>public.proto</code>; its test compares it with the generated encoder.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0051-an-act-in-the-statement-that-creates.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0051AnActInTheStatementThatCreates = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0051AnActInTheStatementThatCreates as default
};
