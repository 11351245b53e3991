import { Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

export function Page({ title, lead, actions, wide, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  return (
    <div className="page" data-wide={wide}>
      <div className="page-head">
        <div>
          <Title order={1} size="h2">
            {title}
          </Title>
          {lead !== undefined && (
            <Text c="dimmed" size="sm" mt={4} component="div">
              {lead}
            </Text>
          )}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
