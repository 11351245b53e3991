/** The knowledge bases assigned to agents; the bases themselves belong to another service. */
export { assignBases, findAgentWithBase, getAssignedBases } from './assign-bases';
export { Knowledge, assignedBases } from './missing-bases';
