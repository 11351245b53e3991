import { Alert, List } from '@mantine/core';
import { ApiError } from '../api/request';

interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

const problemsOf = (error: Error): readonly FieldProblem[] => {
  const { errors } = error instanceof ApiError ? error.body : {};
  const problems = Array.isArray(errors) ? (errors as FieldProblem[]) : [];
  // The message is that of the first one.
  return problems.slice(1);
};

/** Why a write was refused, with the fields that it names. */
export function Refusal({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  const problems = problemsOf(error);
  return (
    <Alert color="red" variant="light" role="alert">
      {error.message}
      {problems.length > 0 && (
        <List size="sm">
          {problems.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
