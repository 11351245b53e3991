/** The simulator's numbers: the last digit selects the callee's behavior. */
export const behaviours = [6, 1, 2, 3, 4, 7, 8] as const;

export const simulator = (digit: (typeof behaviours)[number]): string => `+1500555000${digit}`;
