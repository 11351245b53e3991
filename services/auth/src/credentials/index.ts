/** Component credentials: the encrypted secrets of providers. */
export { deleteComponentCredential, replaceComponentSecret } from './change-component-credential';
export { createComponentCredential, sealedCredentials } from './create-component-credential';
export {
  findComponentCredentials,
  getComponentCredential,
  standbyCredentials,
  listComponentCredentials,
} from './find-component-credentials';
export { openComponentCredential } from './open-component-credential';
export { leaseComponentCredentials } from './lease-component-credentials';
export { listProviderModels } from './list-provider-models';
export { testComponentCredential } from './test-component-credential';
export { type ComponentCredentialRecord, componentCredentialView, testedOf } from './component-credential.rules';
