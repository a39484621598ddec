import './styles/mantine.css';
import '../theme/tokens.css';
import './styles/mantine-theme.css';
import './styles/base.css';
import './styles/page.css';
import './styles/lists.css';
import './styles/touch.css';
import './styles/menu.css';
import './frame/frame.css';
import { createTheme, MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { accountQuery } from '../api/queries.ts';
import { askBeforeLoss } from '../components/form/ask-before-loss.ts';
import { SteadyButton } from '../components/steady-button.tsx';
import { texts } from '../texts/app/texts.ts';
import { currentLanguage } from '../texts/language.ts';
import { followScheme } from '../theme/colour-scheme.ts';
import { createKept, KeptContext } from './history/kept.ts';
import { createLive } from './live/live.ts';
import { LiveContext } from './live/use-live.ts';
import { createQueryClient } from './query-client.ts';
import { createAppRouter } from './router.tsx';
import { useScheme } from './use-scheme.ts';
import { followStyles } from './when-served.ts';

const theme = createTheme({
  ...{ respectReducedMotion: true, defaultRadius: 'md', cursorType: 'pointer' },
  components: {
    UnstyledButton: { defaultProps: { component: SteadyButton } },
    // Mantine names the button in English.
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': texts.frame.showPassword } } },
  },
});

/**
 * Mantine would write its variables into a `<style>` of the page, which the content security policy forbids. They come
 * from `mantine.css` instead.
 */
function App({ queries }: { queries: QueryClient }) {
  const scheme = useScheme();
  const [live] = useState(() => createLive({ queries }));
  const [kept] = useState(createKept);
  const [router] = useState(() => createAppRouter(queries));
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme} withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <LiveContext value={live}>
          <KeptContext value={kept}>
            <RouterProvider router={router} />
          </KeptContext>
        </LiveContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}

followScheme();
document.documentElement.lang = currentLanguage();
followStyles();
const page = document.getElementById('page');
if (page !== null) {
  const queries = createQueryClient();
  askBeforeLoss(queries);
  // Every page needs it: it comes while the first one is being drawn.
  void queries.prefetchQuery(accountQuery);
  createRoot(page).render(
    <StrictMode>
      <App queries={queries} />
    </StrictMode>,
  );
}
