<?php
/**
 * Removes what deactivation has kept.
 *
 * @package PicketBridge
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

foreach ( array( 'connection', 'state', 'nudged_ms', 'polled_at', 'problem' ) as $picket_bridge_name ) {
	delete_option( 'picket_bridge_' . $picket_bridge_name );
}
