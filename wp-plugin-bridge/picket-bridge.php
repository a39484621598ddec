<?php
/**
 * Plugin Name: Picket Bridge
 * Description: Connects this site to Picket, which checks how well it is protected, and fixes what is not.
 * Version: 0.1.0
 * Requires at least: 5.6
 * Requires PHP: 7.4
 * License: Apache-2.0
 * License URI: https://www.apache.org/licenses/LICENSE-2.0
 * Text Domain: picket-bridge
 *
 * @package PicketBridge
 */

defined( 'ABSPATH' ) || exit;

define( 'PICKET_BRIDGE_VERSION', '0.1.0' );
define( 'PICKET_BRIDGE_FILE', __FILE__ );

require_once __DIR__ . '/includes/class-picket-bridge-schedule.php';
require_once __DIR__ . '/includes/class-picket-bridge-endpoint.php';

/*
 * A visitor's page needs only the hooks. Everything else is loaded together when the first of it is used: a poll must have the code
 * that undoes fixes in memory when the plugin is deleted under it.
 */
spl_autoload_register(
	static function ( string $name ): void {
		if ( 0 === strpos( $name, 'Picket_Bridge_' ) ) {
			require_once __DIR__ . '/includes/load.php';
		}
	}
);

// A process was killed while it updated a plugin: before that plugin is loaded, and fails, it is put back.
if ( false !== get_option( 'picket_bridge_plugin_change' ) ) {
	Picket_Bridge_Plugin_Record::take_over();
}

Picket_Bridge_Schedule::add_hooks();
Picket_Bridge_Endpoint::add_hooks();

if ( is_admin() ) {
	require_once __DIR__ . '/includes/class-picket-bridge-settings.php';
	Picket_Bridge_Settings::add_hooks();
}

if ( defined( 'WP_CLI' ) && WP_CLI ) {
	require_once __DIR__ . '/includes/class-picket-bridge-command.php';
	WP_CLI::add_command( 'picket', 'Picket_Bridge_Command' );
}

/**
 * Connects this site to a Picket installation, for deployment scripts.
 *
 * @param string $control_plane_url The URL of Picket, such as https://picket.example.
 * @param string $activation_code   From the dashboard; it works once, for 30 minutes.
 * @return true|WP_Error
 */
function picket_bridge_connect( string $control_plane_url, string $activation_code ) {
	return Picket_Bridge_Connection::connect( $control_plane_url, $activation_code );
}

register_deactivation_hook( __FILE__, array( 'Picket_Bridge_Connection', 'deactivate' ) );
