import { Alert, Button, Code, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { Me } from '@parley/sdk';
import { ApiError, write } from '../api/request';
import { Mark } from '../shell/mark';
import { t } from '../text/text';

const reasonOf = (error: Error): string => {
  if (!(error instanceof ApiError)) return error.message;
  if (error.status === 401) return t('signin.wrong');
  if (error.status === 503) return t('signin.away');
  return error.status === 400 ? t('signin.form') : error.message;
};

/** The key is sent to the console once, by this form, and removed from the page with the response. */
export function SignIn() {
  const client = useQueryClient();
  const [key, setKey] = useState('');
  const signIn = useMutation({
    mutationFn: () => write<Me>('POST', '/session', { body: { key } }),
    onSuccess: (me) => {
      setKey('');
      client.setQueryData(['session'], me);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <main className="signin">
      <div className="signin-side" aria-hidden="true">
        <div className="signin-wave">
          {Array.from({ length: 48 }, (_, n) => (
            <i
              key={n}
              data-voice={Math.floor(n / 8) % 2}
              style={{ height: `${12 + 74 * Math.abs(Math.sin(n * 1.7) * Math.cos(n * 0.61))}%` }}
            />
          ))}
        </div>
        <p>{t('signin.tagline')}</p>
      </div>
      <Paper component="form" className="signin-form" onSubmit={submit} aria-labelledby="signin-title">
        <Stack gap="lg">
          <Mark />
          <div>
            <Title order={1} size="h2" id="signin-title">
              {t('signin.title')}
            </Title>
            <Text c="dimmed" mt="xs" size="sm">
              {t('signin.lead')}
            </Text>
          </div>
          <PasswordInput
            label={t('signin.key')}
            placeholder={t('signin.placeholder')}
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            autoFocus
            required
            size="md"
          />
          {signIn.error !== null && (
            <Alert color="red" variant="light" role="alert">
              {reasonOf(signIn.error)}
            </Alert>
          )}
          <Button type="submit" size="md" loading={signIn.isPending}>
            {t('signin.submit')}
          </Button>
          <Text c="dimmed" size="xs">
            {t('signin.hint').split('admin_key')[0]}
            <Code>admin_key</Code>
            {t('signin.hint').split('admin_key')[1]}
          </Text>
        </Stack>
      </Paper>
    </main>
  );
}
