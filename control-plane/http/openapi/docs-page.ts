/** The page in which Swagger UI shows the OpenAPI document. Its URLs are relative, so that it works below a path. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Picket API</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<header class="top"><strong>Picket</strong><span>API reference</span><a href="v1/openapi.json">OpenAPI document</a></header>
<main id="reference"><noscript>This page needs JavaScript. The <a href="v1/openapi.json">OpenAPI document</a> has the same content.</noscript></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>
</body>
</html>
`;

/**
 * Without `validatorUrl: null` Swagger UI loads a badge from its vendor's server. "Try it out" sends requests to the
 * origin of the page: the address in the document may be another name of this server, and the page's content security
 * policy allows only its own origin.
 */
export const DOCS_SCRIPT = `SwaggerUIBundle({
  url: 'v1/openapi.json',
  domNode: document.getElementById('reference'),
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 3,
  defaultModelRendering: 'example',
  displayRequestDuration: true,
  tryItOutEnabled: false,
  syntaxHighlight: { activated: true, theme: 'nord' },
  requestInterceptor: (request) => {
    const wanted = new URL(request.url, document.baseURI);
    request.url = location.origin + wanted.pathname + wanted.search;
    return request;
  },
});
`;

/**
 * Hides what is the same in every error response: headers, schema and media type. The introduction describes them once;
 * repeated under each of ten statuses they would hide the differences.
 */
export const DOCS_STYLE = `:root { color-scheme: light; --ink: #1d2433; --line: #dfe3ea; --code: #eef1f6; }
body { margin: 0; background: #fff; color: var(--ink); font-family: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
.top { display: flex; gap: .75rem; align-items: baseline; padding: .9rem max(1.25rem, calc((100% - 1420px) / 2)); background: #14213d; color: #fff; }
.top strong { font-size: 1.15rem; letter-spacing: .02em; }
.top span { opacity: .75; }
.top a { margin-left: auto; color: #9ecbff; }
.swagger-ui, .swagger-ui .opblock-tag, .swagger-ui .info .title, .swagger-ui .info li, .swagger-ui .info p, .swagger-ui .opblock .opblock-summary-description, .swagger-ui .markdown p, .swagger-ui .markdown li, .swagger-ui .renderedMarkdown p { font-family: inherit; color: var(--ink); }
.swagger-ui .info { margin: 1.75rem 0 1rem; max-width: 62rem; }
.swagger-ui .info .title { font-size: 1.9rem; }
.swagger-ui .info .title small { background: #6b7587; vertical-align: middle; }
.swagger-ui .info .title small.version-stamp { background: #2f6f4f; }
.swagger-ui .info li, .swagger-ui .info p { font-size: .95rem; line-height: 1.55; }
.swagger-ui .info .link, .swagger-ui .info__license, .swagger-ui .servers-title, .swagger-ui .servers { display: none; }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { padding: .1em .35em; border-radius: 4px; background: var(--code); color: var(--ink); font-weight: 500; }
.swagger-ui .markdown pre, .swagger-ui .renderedMarkdown pre { padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--code); overflow-x: auto; }
.swagger-ui .markdown pre code, .swagger-ui .renderedMarkdown pre code { padding: 0; background: none; color: var(--ink); font-weight: 400; }
.swagger-ui .scheme-container { margin: 0; padding: .5rem 0 1rem; border: solid var(--line); border-width: 0 0 1px; background: none; box-shadow: none; }
.swagger-ui .scheme-container .schemes { align-items: center; }
.swagger-ui .filter input.operation-filter-input[type='text'] { width: 100%; max-width: none; margin: 1rem 0; border: 1px solid var(--line); border-radius: 8px; box-sizing: border-box; }
.swagger-ui .opblock-tag { font-size: 1.25rem; border-color: var(--line); }
.swagger-ui .opblock { border-radius: 8px; box-shadow: none; }
.swagger-ui .opblock .opblock-summary-path { font-size: .95rem; }
.swagger-ui .opblock .opblock-section-header { background: #ffffff80; box-shadow: none; }
.swagger-ui .response-col_links, .swagger-ui .response-control-media-type__accept-message { display: none; }
.swagger-ui .response[data-code]:not([data-code^='2']) :is(.headers-wrapper, .response-controls, .model-example, .examples-select) { display: none; }
.swagger-ui .response[data-code]:not([data-code^='2']) .response-col_description { padding-bottom: .6rem; }
.swagger-ui .response .response-col_status { font-weight: 600; }
.swagger-ui .parameter__name { white-space: nowrap; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 1rem; }
  .swagger-ui .parameters-col_description { min-width: 12rem; }
}
`;
