/** Component credentials: the encrypted secrets of providers. */
export { componentCredentialView } from './component-credential-views.rules';
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
export { testComponentCredential } from './test-component-credential';
export { testedOf, type ComponentCredentialRecord } from './component-credential.rules';
