import type { Tour } from './tour.mts';

export async function signIn({ page }: Tour, key: string): Promise<void> {
  await page.locator('input[type=password]').waitFor();
  await page.keyboard.type(key);
  await page.keyboard.press('Enter');
}

export async function signOut({ page }: Tour): Promise<void> {
  await page.locator('.sidebar').getByRole('button', { name: 'Account' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.locator('input[type=password]').waitFor();
}
