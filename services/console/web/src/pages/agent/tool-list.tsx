import { ActionIcon, Button, Group, Menu, Modal, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTool, IconTrash } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { t } from '../../text/text';
import type { Tools } from './draft';

interface Props {
  readonly tools: Tools;
  readonly change: (tools: Tools) => void;
}

const builtin = ['end_call', 'leave_voicemail', 'query_knowledge', 'send_sms'] as const;
const nameOf = (tool: Tools[number]): string => (typeof tool === 'string' ? tool : (tool.name ?? ''));

export function ToolList({ tools, change }: Props) {
  const [isAdding, setAdding] = useState(false);
  const names = new Set(tools.map(nameOf));
  return (
    <>
      <ul className="tools">
        {tools.map((tool) => (
          <li key={nameOf(tool)}>
            <IconTool size={17} aria-hidden="true" />
            <div>
              <b>{nameOf(tool)}</b>
              <span>
                {typeof tool === 'string'
                  ? t('tool.legacy')
                  : tool.type === 'builtin'
                    ? t('tool.builtin')
                    : tool.type === 'webhook'
                      ? `${tool.method} ${tool.url}`
                      : t('tool.connection')}
              </span>
            </div>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('tool.remove', { name: nameOf(tool) })}
              onClick={() => change(tools.filter((one) => one !== tool))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </li>
        ))}
        {tools.length === 0 && <li className="soft">{t('tool.none')}</li>}
      </ul>
      <Group>
        <Menu withinPortal>
          <Menu.Target>
            <Button variant="default" size="xs" leftSection={<IconPlus size={15} />}>
              {t('tool.addBuiltin')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {builtin.map((name) => (
              <Menu.Item
                key={name}
                disabled={names.has(name)}
                onClick={() => change([...tools, { type: 'builtin', name }])}
              >
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button variant="default" size="xs" leftSection={<IconPlus size={15} />} onClick={() => setAdding(true)}>
          {t('tool.addWebhook')}
        </Button>
      </Group>
      {isAdding && (
        <WebhookForm
          close={() => setAdding(false)}
          add={(tool) => {
            change([...tools, tool]);
            setAdding(false);
          }}
        />
      )}
    </>
  );
}

const example = JSON.stringify({ type: 'object', properties: { day: { type: 'string' } }, required: ['day'] }, null, 2);

function WebhookForm({ close, add }: { readonly close: () => void; readonly add: (tool: Tools[number]) => void }) {
  const [values, setValues] = useState({
    name: '',
    description: '',
    url: '',
    method: 'POST',
    timeout: 8_000,
    parameters: example,
  });
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    try {
      const parameters = JSON.parse(values.parameters) as Record<string, unknown>;
      const { name, description, url, method, timeout } = values;
      add({
        type: 'webhook',
        name,
        description,
        url,
        method,
        timeout_ms: timeout,
        parameters,
        headers: {},
      } as Tools[number]);
    } catch {
      setError(t('tool.parametersWrong'));
    }
  };
  const set = (part: Partial<typeof values>): void => setValues({ ...values, ...part });
  return (
    <Modal
      opened
      onClose={close}
      title={t('tool.addWebhook')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('tool.name')}
            value={values.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            pattern="[A-Za-z0-9_\-]+"
            maxLength={64}
            required
            data-autofocus
          />
          <Textarea
            label={t('tool.description')}
            description={t('tool.descriptionHint')}
            value={values.description}
            onChange={(event) => set({ description: event.currentTarget.value })}
            required
            autosize
          />
          <Group grow align="flex-start">
            <Select
              label={t('tool.method')}
              data={['POST', 'PUT', 'PATCH']}
              value={values.method}
              onChange={(method) => set({ method: method ?? 'POST' })}
            />
            <NumberInput
              label={t('tool.timeout')}
              min={1_000}
              max={30_000}
              step={1_000}
              value={values.timeout}
              onChange={(timeout) => set({ timeout: Number(timeout) })}
            />
          </Group>
          <TextInput
            label={t('tool.url')}
            type="url"
            placeholder="https://"
            value={values.url}
            onChange={(event) => set({ url: event.currentTarget.value })}
            required
          />
          <Textarea
            label={t('tool.parameters')}
            value={values.parameters}
            onChange={(event) => set({ parameters: event.currentTarget.value })}
            error={error}
            autosize
            minRows={6}
            ff="monospace"
          />
          <Button type="submit">{t('tool.add')}</Button>
        </Stack>
      </form>
    </Modal>
  );
}
