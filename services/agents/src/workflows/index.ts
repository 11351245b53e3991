/** The workflow of an agent: its draft and its versions, and the PIN for trying a draft by phone. */
export { createWorkflowDraft, deleteWorkflowDraft } from './create-workflow-draft';
export { getWorkflow } from './get-workflow';
export { draftOfAgent, openDraft } from './open-draft';
export { armPhonePin, disarmPhonePin } from './phone-pin';
export { publishWorkflow, unpublishWorkflow } from './publish-workflow';
export { saveWorkflowDraft } from './save-workflow-draft';
export { getWorkflowVersion, restoreWorkflowVersion } from './workflow-versions';
