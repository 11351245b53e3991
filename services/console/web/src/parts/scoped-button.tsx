import { Button, Tooltip, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';
import { useCan } from '../session/session';
import { t } from '../text/text';

type Props = ButtonProps & Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> & { readonly scope: string };

/** Disabled if the key lacks the scope, which is then named. */
export function ScopedButton({ scope, disabled, ...rest }: Props) {
  const can = useCan()(scope);
  if (can) return <Button {...rest} disabled={disabled} />;
  return (
    <Tooltip label={t('scope.missing', { scope })} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...rest}
        data-disabled
        aria-disabled="true"
        title={t('scope.missing', { scope })}
        onClick={(event) => event.preventDefault()}
        type="button"
      />
    </Tooltip>
  );
}
