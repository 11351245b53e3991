import { t } from '../../text/text';

const preset = (name: 'reception' | 'restaurant' | 'support') => ({
  name: t(`preset.${name}.name`),
  prompt: t(`preset.${name}.prompt`),
  first: t(`preset.${name}.first`),
});

/** Initial settings of an agent; all of them can be changed. */
export const presets = {
  reception: preset('reception'),
  restaurant: preset('restaurant'),
  support: preset('support'),
} as const;

export type Preset = keyof typeof presets;
