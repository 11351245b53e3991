import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"3. PostgreSQL is the truth, JetStream carries, Redis counts","description":"","frontmatter":{},"headers":[],"relativePath":"adr/0003-postgresql-is-the-truth.md","filePath":"adr/0003-postgresql-is-the-truth.md"}');
const _sfc_main = { name: "adr/0003-postgresql-is-the-truth.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_3-postgresql-is-the-truth-jetstream-carries-redis-counts" tabindex="-1">3. PostgreSQL is the truth, JetStream carries, Redis counts <a class="header-anchor" href="#_3-postgresql-is-the-truth-jetstream-carries-redis-counts" aria-label="Permalink to &quot;3. PostgreSQL is the truth, JetStream carries, Redis counts&quot;">​</a></h1><p><strong>Status:</strong> accepted</p><p><strong>Context.</strong> A call that was accepted must lead to its events, whatever dies in between. Committing and then publishing loses an event when the process dies between the two; publishing first announces what may never be committed.</p><p><strong>Decision.</strong> An event is a row of the outbox, written in the transaction of what it tells. A relay publishes rows with the event id as message id and keeps the stream&#39;s creation time and the sequence from the acknowledgement. On reconnect and each minute it checks that the stream still holds what was acknowledged, and publishes again from the first mismatch. Consumers commit first, acknowledge after, and are idempotent by primary key. Redis holds rate counters only, per replica while it is away.</p><p><strong>Consequences.</strong> Deleting the whole NATS store loses nothing. Delivery is at least once; each event carries its id and <code>resource_seq</code>, so that a receiver can drop repeats and restore order. Two NATS features newer than server 2.9 stay unused, because Debian 12 ships 2.9 and ignores unknown stream fields without a word: configurations are read back and compared.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("adr/0003-postgresql-is-the-truth.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0003PostgresqlIsTheTruth = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0003PostgresqlIsTheTruth as default
};
