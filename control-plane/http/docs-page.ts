/** The page around the library's rendering of the OpenAPI document. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Picket API</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<header class="top"><strong>Picket</strong><span>API reference</span><a href="/v1/openapi.json">OpenAPI document</a></header>
<main id="reference"><noscript>This page needs JavaScript. The same is in <a href="/v1/openapi.json">the OpenAPI document</a>.</noscript></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
`;

/** `validatorUrl: null`: the library would else show a badge from its makers' server. */
export const DOCS_SCRIPT = `SwaggerUIBundle({
  url: '/v1/openapi.json',
  domNode: document.getElementById('reference'),
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  tryItOutEnabled: false,
  syntaxHighlight: { activated: true, theme: 'nord' },
});
`;

export const DOCS_STYLE = `:root { color-scheme: light; }
body { margin: 0; background: #f7f8fa; font-family: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
.top { display: flex; gap: .75rem; align-items: baseline; padding: .9rem max(1.25rem, calc((100% - 1420px) / 2)); background: #14213d; color: #fff; }
.top strong { font-size: 1.15rem; letter-spacing: .02em; }
.top span { opacity: .75; }
.top a { margin-left: auto; color: #9ecbff; }
.swagger-ui, .swagger-ui .opblock-tag, .swagger-ui .info .title, .swagger-ui .opblock .opblock-summary-description { font-family: inherit; }
.swagger-ui .info { margin: 1.5rem 0; }
.swagger-ui .scheme-container { margin: 0; padding: 1rem 0; box-shadow: none; border: solid #e3e6eb; border-width: 1px 0; }
.swagger-ui .opblock { border-radius: 8px; box-shadow: none; }
.swagger-ui .opblock .opblock-summary-path { font-size: .95rem; }
`;
