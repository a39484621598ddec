<?php
/**
 * Removes what deactivation has kept.
 *
 * @package PicketBridge
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

require_once __DIR__ . '/includes/class-picket-bridge-xmlrpc-fix.php';
Picket_Bridge_Xmlrpc_Fix::undo();

foreach ( array( 'connection', 'state', 'nudged_ms', 'polled_at', 'problem' ) as $picket_bridge_name ) {
	delete_option( 'picket_bridge_' . $picket_bridge_name );
}
