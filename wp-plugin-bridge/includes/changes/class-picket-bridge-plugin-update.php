<?php
/**
 * The update of another plugin.
 *
 * @package PicketBridge
 */

/**
 * Installs the version that WordPress offers, with WordPress's own updater, after the folder was copied. The plugin is inactive
 * while its files are replaced, as in the administration: a process that is killed then leaves a site that answers.
 */
final class Picket_Bridge_Plugin_Update {

	/**
	 * Updates a plugin.
	 *
	 * @param string   $job    The id of the job.
	 * @param string   $file   The main file of the plugin.
	 * @param string   $slug   Of the plugin.
	 * @param string[] $before How the pages answered.
	 * @return array{outcome: string, error: string}
	 */
	public static function apply( string $job, string $file, string $slug, array $before ): array {
		$problem = self::obstacle( $file );
		if ( '' !== $problem ) {
			return Picket_Bridge_Plugin_Change::result( 'failed', "$problem Nothing was changed." );
		}
		$was    = self::version( $file );
		$active = is_plugin_active( $file );
		$backup = bin2hex( random_bytes( 16 ) );
		Picket_Bridge_Plugin_Record::begin( $job, $file, $backup );
		$problem = Picket_Bridge_Plugin_Backups::copy( WP_PLUGIN_DIR . '/' . dirname( $file ), $backup );
		if ( '' !== $problem ) {
			Picket_Bridge_Plugin_Record::put_back();
			return Picket_Bridge_Plugin_Change::result( 'failed', "$problem Nothing was changed." );
		}
		Picket_Bridge_Plugin_Record::copied();
		Picket_Bridge_Plugin_Record::set_active( array_diff( (array) get_option( 'active_plugins' ), array( $file ) ) );
		$problem = self::install( $file );
		$is      = self::version( $file );
		if ( '' !== $problem ) {
			return Picket_Bridge_Plugin_Change::rolled_back( $problem );
		}
		if ( '' === $is || $is === $was ) {
			return Picket_Bridge_Plugin_Change::rolled_back( '' === $is ? "$file is missing" : "its version is still $was" );
		}
		Picket_Bridge_Folder::forget_compiled( WP_PLUGIN_DIR . '/' . dirname( $file ) );
		if ( $active ) {
			// Not activate_plugin(): its code would run in this process, which may have loaded the old one, and must outlive it.
			Picket_Bridge_Plugin_Record::set_active( array_merge( (array) get_option( 'active_plugins' ), array( $file ) ) );
		}
		$kept = array(
			'job'     => $job,
			'kind'    => 'update_plugin',
			'file'    => $file,
			'backup'  => $backup,
			'version' => $is,
			'at'      => time(),
		);
		$done = "Updated from $was to $is, " . ( $active ? 'active' : 'inactive' ) . ' as before, and the pages answer as before.';
		return Picket_Bridge_Plugin_Change::tested( $before, $slug, $kept, $active, $done );
	}

	/**
	 * Returns why a plugin cannot be updated here, or an empty text.
	 *
	 * @param string $file The main file of the plugin.
	 */
	private static function obstacle( string $file ): string {
		if ( ! wp_is_file_mod_allowed( 'picket_bridge_update' ) ) {
			return 'The configuration of the site forbids changes of its files (DISALLOW_FILE_MODS).';
		}
		if ( 'cli' === PHP_SAPI ) {
			return 'A plugin can be updated only when the web server runs the plugin of Picket, not a command line.';
		}
		if ( ini_get( 'opcache.enable' ) && ! ini_get( 'opcache.validate_timestamps' ) && ! function_exists( 'opcache_invalidate' ) ) {
			return 'PHP does not notice changes of files on this server.';
		}
		if ( false === strpos( $file, '/' ) ) {
			return 'The plugin is a single file without a folder. Update it on the page of the plugins.';
		}
		if ( 'direct' !== get_filesystem_method( array(), WP_PLUGIN_DIR ) ) {
			return 'WordPress cannot write the folder of the plugins without a password for FTP.';
		}
		if ( ( @stat( WP_PLUGIN_DIR )['dev'] ?? null ) !== ( @stat( WP_CONTENT_DIR )['dev'] ?? null ) ) { // phpcs:ignore WordPress.PHP.NoSilencedErrors.Discouraged -- Without an answer, nothing is changed.
			return 'The folder of the plugins is on another disk than wp-content, so a copy could not be put back at once.';
		}
		$obstacle = Picket_Bridge_Folder::obstacle( WP_PLUGIN_DIR . '/' . dirname( $file ) );
		return '' === $obstacle && ! self::is_offered( $file ) ? 'WordPress offers no update of this plugin. Update it on the page of the plugins, or deactivate it.' : $obstacle;
	}

	/**
	 * Returns whether WordPress knows an update with a package, after asking again if it did not.
	 *
	 * @param string $file The main file of the plugin.
	 */
	private static function is_offered( string $file ): bool {
		if ( self::has_package( $file ) ) {
			return true;
		}
		$known = get_site_transient( 'update_plugins' );
		delete_site_transient( 'update_plugins' );
		wp_update_plugins();
		if ( self::has_package( $file ) ) {
			return true;
		}
		$asked = get_site_transient( 'update_plugins' );
		if ( is_object( $known ) && ! isset( $asked->response ) ) {
			// wordpress.org does not answer: what was known also has the slugs of the plugins.
			set_site_transient( 'update_plugins', $known );
		}
		return false;
	}

	/**
	 * Returns whether WordPress knows an update with a package. Some commercial plugins have none without a licence.
	 *
	 * @param string $file The main file of the plugin.
	 */
	private static function has_package( string $file ): bool {
		$updates = get_site_transient( 'update_plugins' );
		$offered = is_object( $updates ) && isset( $updates->response[ $file ] ) ? (array) $updates->response[ $file ] : array();
		return is_string( $offered['package'] ?? null ) && '' !== $offered['package'];
	}

	/**
	 * Runs WordPress's updater. Returns what failed, or an empty text.
	 *
	 * @param string $file The main file of the plugin.
	 */
	private static function install( string $file ): string {
		require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php';
		$skin     = new Automatic_Upgrader_Skin();
		$upgrader = new Plugin_Upgrader( $skin );
		$result   = $upgrader->upgrade( $file );
		if ( true === $result ) {
			return '';
		}
		$error = is_wp_error( $result ) ? $result : $skin->result;
		if ( is_wp_error( $error ) ) {
			return 'the updater of WordPress said: ' . rtrim( $error->get_error_message(), '.' );
		}
		$messages = $skin->get_upgrade_messages();
		return 'the updater of WordPress said: ' . rtrim( array() === $messages ? 'nothing' : (string) end( $messages ), '.' );
	}

	/**
	 * Returns the version of a plugin as it is on the disk; an empty text without one.
	 *
	 * @param string $file The main file of the plugin.
	 */
	public static function version( string $file ): string {
		$path = WP_PLUGIN_DIR . '/' . $file;
		clearstatcache( true, $path );
		return is_file( $path ) ? (string) get_plugin_data( $path, false, false )['Version'] : '';
	}
}
