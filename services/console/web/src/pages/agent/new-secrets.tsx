import { Alert, Code, CopyButton, UnstyledButton } from '@mantine/core';
import type { AgentConfiguration } from '@parley/sdk';
import { t } from '../../text/text';

/** Name and signing secret of the webhook tools that a save created; no later read shows them. */
export const secretsOf = ({ agent, voice_stack: stack }: AgentConfiguration): [string, string][] =>
  [...agent.tools, ...((stack as { tools?: typeof agent.tools }).tools ?? [])].flatMap((tool) =>
    typeof tool !== 'string' && tool.type === 'webhook' && typeof (tool as { secret?: string }).secret === 'string'
      ? [[tool.name, (tool as { secret?: string }).secret ?? '']]
      : [],
  );

export function NewSecrets({ secrets }: { readonly secrets: readonly [string, string][] }) {
  if (secrets.length === 0) return null;
  return (
    <Alert color="yellow" title={<span className="alert-wait">{t('secret.once')}</span>}>
      {secrets.map(([name, secret]) => (
        <p key={name}>
          {name}:{' '}
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <UnstyledButton onClick={copy}>
                <Code>{secret}</Code> {t(copied ? 'code.copied' : 'code.copy')}
              </UnstyledButton>
            )}
          </CopyButton>
        </p>
      ))}
    </Alert>
  );
}
