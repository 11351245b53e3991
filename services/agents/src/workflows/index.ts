/** The workflow of an agent: its draft and its versions, and the PIN for trying a draft by phone. */
export { createWorkflowDraft } from './create-workflow-draft';
export { deleteWorkflowDraft } from './delete-workflow-draft';
export { getWorkflow } from './get-workflow';
export { openDraft } from './open-draft';
export { armPhonePin, disarmPhonePin } from './phone-pin';
export { publishWorkflow } from './publish-workflow';
export { saveWorkflowDraft } from './save-workflow-draft';
export { unpublishWorkflow } from './unpublish-workflow';
export { getWorkflowVersion, restoreWorkflowVersion } from './workflow-versions';
