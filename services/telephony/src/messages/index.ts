/** Text messages, sent and received. */
export { createMessage } from './create-message';
export { createTemplateMessage } from './create-template-message';
export { messageBatches, type Messaging } from './message-batches';
export { createMessageFollowUp, MessageSender } from './message-sender';
export { findMessage, getMessage, listMessagePage } from './read-messages';
export { receiveCarrierMessage } from './receive-carrier-message';
export { receiveCarrierReport } from './receive-carrier-report';
export { recordMessages } from './record-messages';
export { messageEtag, renderMessage } from './render-message.rules';
export { createReplyPruner, createReplyRunner } from './reply-runner';
export { messageOutcomes } from './send-permitted';
export { sendWorkerMessage } from './send-worker-message';
