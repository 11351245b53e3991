import {
  ActionIcon,
  Burger,
  Button,
  Drawer,
  Group,
  Menu,
  Text,
  Tooltip,
  VisuallyHidden,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { IconBook2, IconCode, IconLogout2, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { dropReads } from '../api/following';
import { send } from '../api/request';
import { useMe } from '../session/session';
import { absolute } from '../parts/time';
import { t } from '../text/text';
import { Mark } from './mark';
import { navigation } from './navigation';
import { StreamState } from './stream-state';

const CodeDrawer = lazy(() => import('../code/code-drawer'));

export function Shell() {
  const [isOpen, setOpen] = useState(false);
  const [showsCode, setShowsCode] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setOpen(false), [path]);
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t('app.skip')}
      </a>
      <header className="topbar">
        <Burger opened={isOpen} onClick={() => setOpen(true)} size="sm" aria-label={t('nav.open')} />
        <Mark />
        <Account />
      </header>
      <aside className="sidebar" aria-label={t('app.name')}>
        <Navigation />
      </aside>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        size={264}
        padding="md"
        title={<Mark />}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Navigation />
      </Drawer>
      <main id="content" className="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Button
        className="code-button"
        variant="default"
        size="xs"
        leftSection={<IconCode size={15} />}
        onClick={() => setShowsCode(true)}
      >
        {t('code.open')}
      </Button>
      {showsCode && (
        <Suspense>
          <CodeDrawer close={() => setShowsCode(false)} />
        </Suspense>
      )}
    </div>
  );
}

function Navigation() {
  return (
    <>
      <div className="sidebar-mark">
        <Mark />
      </div>
      <nav aria-label={t('nav.label')}>
        {navigation.map(({ title, items }) => (
          <div key={title} className="nav-group">
            <span>{t(title)}</span>
            {items.map(({ to, text, Icon }) => (
              <Link key={to} to={to} className="nav-link" activeProps={{ 'data-active': true }}>
                <Icon size={18} stroke={1.7} aria-hidden="true" />
                {t(text)}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <div className="sidebar-foot">
        <StreamState />
        <Account />
      </div>
    </>
  );
}

function Account() {
  const me = useMe();
  const client = useQueryClient();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const signOut = useMutation({
    onMutate: dropReads,
    mutationFn: () => send('DELETE', '/session'),
    onSettled: () => {
      client.setQueryData(['session'], null);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    },
  });
  const isDark = scheme === 'dark';
  const name = me.organization?.name ?? me.name;
  const detail = me.projects[0]?.name ?? me.key_id;
  return (
    <Group gap={4} wrap="nowrap" className="account">
      <Menu position="top-start" width={260} withinPortal>
        <Menu.Target>
          <button type="button" className="account-button">
            <IconUserCircle size={20} stroke={1.6} aria-hidden="true" />
            <span className="account-text">
              <b>{name}</b>
              <small>{detail}</small>
            </span>
            <VisuallyHidden>{t('account.menu')}</VisuallyHidden>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {me.expires_at !== null && (
            <Text size="xs" c="dimmed" p="xs">
              {t('account.session', { time: absolute(me.expires_at) })}
            </Text>
          )}
          <Menu.Item component="a" href="/docs" leftSection={<IconBook2 size={16} />}>
            {t('nav.reference')}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout2 size={16} />} onClick={() => signOut.mutate()}>
            {t('signout')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Tooltip label={t(isDark ? 'theme.light' : 'theme.dark')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
          aria-label={t(isDark ? 'theme.light' : 'theme.dark')}
        >
          {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
