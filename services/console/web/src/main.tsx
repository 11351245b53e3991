import './components.css';
import './app.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { setNonce } from 'get-nonce';
import { queries } from './api/query-client';
import { nonce } from './nonce';
import { router } from './router';
import { sessionQuery } from './session/session';
import { theme, variables } from './theme';
import { refuseMarkup } from './trusted-types';

refuseMarkup();
setNonce(nonce);

// Together with the page's code, which the router reads before it renders the session's gate.
void queries.prefetchQuery(sessionQuery);

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
