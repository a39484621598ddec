import './styles/mantine.css';
import '../theme/tokens.css';
import './styles/mantine-theme.css';
import './styles/base.css';
import './styles/page.css';
import './styles/lists.css';
import './frame.css';
import { createTheme, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { currentLanguage } from '../texts/language.ts';
import { followScheme } from '../theme/colour-scheme.ts';
import { createLive } from './live/live.ts';
import { LiveContext } from './live/use-live.ts';
import { createQueryClient } from './query-client.ts';
import { createAppRouter } from './router.tsx';
import { useScheme } from './use-scheme.ts';

const theme = createTheme({ respectReducedMotion: true, defaultRadius: 'md', cursorType: 'pointer' });

/**
 * Mantine would write its variables into a `<style>` of the page, which the content security policy forbids. They come
 * from `mantine.css` instead.
 */
function App() {
  const scheme = useScheme();
  const [queries] = useState(createQueryClient);
  const [live] = useState(() => createLive({ queries }));
  const [router] = useState(createAppRouter);
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme} withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <LiveContext value={live}>
          <RouterProvider router={router} />
        </LiveContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}

followScheme();
document.documentElement.lang = currentLanguage();
const page = document.getElementById('page');
if (page !== null) {
  createRoot(page).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
