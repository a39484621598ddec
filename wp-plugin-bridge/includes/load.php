<?php
/**
 * Loads the classes.
 *
 * @package PicketBridge
 */

foreach (
	array(
		'class-picket-bridge-signature',
		'class-picket-bridge-nudge',
		'class-picket-bridge-safe-mode',
		'measuring/class-picket-bridge-self-request',
		'measuring/class-picket-bridge-canary',
		'measuring/class-picket-bridge-web-view',
		'measuring/class-picket-bridge-inventory',
		'measuring/class-picket-bridge-pages',
		'changes/interface-picket-bridge-change',
		'changes/class-picket-bridge-file',
		'changes/class-picket-bridge-must-use-folder',
		'changes/class-picket-bridge-must-use-file',
		'changes/class-picket-bridge-undo-file',
		'changes/class-picket-bridge-htaccess-block',
		'changes/class-picket-bridge-config-constant',
		'changes/class-picket-bridge-folder',
		'changes/class-picket-bridge-plugin-backups',
		'changes/class-picket-bridge-plugin-record',
		'changes/class-picket-bridge-plugin-update',
		'changes/class-picket-bridge-plugin-change',
		'checks/class-picket-bridge-check',
		'checks/class-picket-bridge-xmlrpc-check',
		'checks/class-picket-bridge-debug-mode-check',
		'checks/class-picket-bridge-directory-browsing-check',
		'checks/class-picket-bridge-php-uploads-check',
		'checks/class-picket-bridge-file-editor-check',
		'checks/class-picket-bridge-hide-version-check',
		'checks/class-picket-bridge-force-https-check',
		'checks/class-picket-bridge-security-headers-check',
		'checks/class-picket-bridge-fatal-errors-check',
		'class-picket-bridge-measurement',
		'class-picket-bridge-connection',
		'class-picket-bridge-client',
		'class-picket-bridge-jobs',
		'class-picket-bridge-poll',
		'class-picket-bridge-schedule',
		'class-picket-bridge-endpoint',
	) as $picket_bridge_file
) {
	require_once __DIR__ . "/$picket_bridge_file.php";
}
