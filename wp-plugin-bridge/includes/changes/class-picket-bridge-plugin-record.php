<?php
/**
 * A change of a plugin that is not finished.
 *
 * @package PicketBridge
 */

/**
 * Remembers how a plugin was before a change, so that it can be put back in the middle of it: by the request that makes the
 * change, by its shutdown, or, when that was killed, by the next request of anybody. This plugin is loaded before all others
 * while there is such a record, so that a fatal error of the changed plugin does not keep it from being put back.
 */
final class Picket_Bridge_Plugin_Record {

	const OPTION = 'picket_bridge_plugin_change';

	/**
	 * A database without locks does not say whether the process that makes the change is alive. No change takes longer.
	 */
	const AGE_S_MAX = 900;

	/**
	 * Whether this process makes the change.
	 *
	 * @var bool
	 */
	private static $is_own = false;

	/**
	 * Begins a change: from now on it can be put back.
	 *
	 * @param string $job    The id of the job.
	 * @param string $file   The main file of the plugin, relative to the folder of the plugins.
	 * @param string $backup The name of the copy; an empty text without one.
	 */
	public static function begin( string $job, string $file, string $backup ): void {
		self::$is_own = true;
		register_shutdown_function( array( __CLASS__, 'at_shutdown' ) );
		$active = self::active();
		self::save(
			array(
				'job'       => $job,
				'file'      => $file,
				'backup'    => $backup,
				'is_copied' => false,
				'active'    => $active,
				'at'        => time(),
			)
		);
		$own = plugin_basename( PICKET_BRIDGE_FILE );
		if ( in_array( $own, $active, true ) ) {
			self::set_active( array_merge( array( $own ), array_diff( $active, array( $own ) ) ) );
		}
	}

	/**
	 * Notes that the copy is complete: from now on the folder itself is changed.
	 */
	public static function copied(): void {
		self::save( array_merge( self::read(), array( 'is_copied' => true ) ) );
	}

	/**
	 * Ends a change that stays, with the plugin active or not.
	 *
	 * @param bool          $is_active Whether the plugin is active from now on.
	 * @param string[]|null $order     The order in which the plugins are loaded; as before the change without it.
	 */
	public static function finish( bool $is_active, ?array $order = null ): void {
		$record = self::read();
		self::restore_active( array_merge( $record, array( 'active' => $order ?? $record['active'] ) ), $is_active );
		delete_option( self::OPTION );
		self::$is_own = false;
	}

	/**
	 * Puts back what a change has changed. It can be repeated after it was killed. Returns what failed, or an empty text.
	 */
	public static function put_back(): string {
		$record = self::read();
		if ( array() === $record ) {
			return '';
		}
		$problem = $record['is_copied'] ? self::put_folder_back( $record['file'], $record['backup'] ) : '';
		if ( '' !== $problem ) {
			// Not tried again by visitors: somebody may put it right by hand.
			self::save( array_merge( $record, array( 'has_failed' => true ) ) );
			self::$is_own = false;
			return $problem;
		}
		self::restore_active( $record, in_array( $record['file'], $record['active'], true ) );
		Picket_Bridge_Plugin_Backups::drop( $record['job'], $record['backup'] );
		wp_cache_delete( 'plugins', 'plugins' );
		delete_option( self::OPTION );
		self::$is_own = false;
		return '';
	}

	/**
	 * Puts the copy of a folder in its place. Returns what failed, or an empty text.
	 *
	 * @param string $file   The main file of the plugin.
	 * @param string $backup The name of the copy.
	 */
	public static function put_folder_back( string $file, string $backup ): string {
		// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- WP_Filesystem may ask for FTP passwords.
		$place = WP_PLUGIN_DIR . '/' . dirname( $file );
		$kept  = Picket_Bridge_Plugin_Backups::folder( $backup ) . '/' . dirname( $file );
		$aside = Picket_Bridge_Plugin_Backups::folder( $backup ) . '/replaced';
		clearstatcache();
		if ( ! is_dir( $kept ) ) {
			// A process that was killed had put it back.
			return '';
		}
		$failed = Picket_Bridge_File::shown( $place ) . ' cannot be put back. Its copy is in ' . Picket_Bridge_File::shown( $kept ) . '.';
		Picket_Bridge_Folder::delete( $aside );
		if ( is_dir( $place ) && ! @rename( $place, $aside ) ) {
			return $failed;
		}
		if ( ! @rename( $kept, $place ) ) {
			@rename( $aside, $place );
			return $failed;
		}
		// phpcs:enable
		Picket_Bridge_Folder::forget_compiled( $place );
		return '';
	}

	/**
	 * Puts back the change of a process that was killed, unless it is alive.
	 */
	public static function take_over(): void {
		$record = self::read();
		if ( self::$is_own || array() === $record || self::has_failed() ) {
			return;
		}
		$lock = Picket_Bridge_Poll::locked( 0 );
		if ( '1' === $lock ) {
			// What was read before may be old: the process may have ended its change well meanwhile.
			wp_cache_delete( 'alloptions', 'options' );
			wp_cache_delete( self::OPTION, 'options' );
			self::put_back();
			Picket_Bridge_Poll::unlock();
		} elseif ( null === $lock && abs( time() - $record['at'] ) > self::AGE_S_MAX ) {
			self::put_back();
		}
	}

	/**
	 * Puts back the change of this process, which ends in the middle of it because of a fatal error or a limit of time.
	 */
	public static function at_shutdown(): void {
		if ( self::$is_own ) {
			self::put_back();
		}
	}

	/**
	 * Whether a change could not be put back.
	 */
	public static function has_failed(): bool {
		return true === ( self::read()['has_failed'] ?? false );
	}

	/**
	 * Returns the main file of the plugin whose change is not finished; an empty text without one.
	 */
	public static function file(): string {
		return (string) ( self::read()['file'] ?? '' );
	}

	/**
	 * Whether another process may be in the middle of a change: a database without locks does not say so.
	 */
	public static function may_be_alive(): bool {
		$record = self::read();
		return ! self::$is_own && array() !== $record && abs( time() - $record['at'] ) <= self::AGE_S_MAX;
	}

	/**
	 * Returns since when there is a change that is not finished, in seconds since the epoch.
	 */
	public static function since(): int {
		return (int) ( self::read()['at'] ?? time() );
	}

	/**
	 * Returns the plugins that were active before the change, in the order in which they are loaded.
	 *
	 * @return string[]
	 */
	public static function order(): array {
		return self::read()['active'] ?? array();
	}

	/**
	 * Returns the record, or an empty array.
	 */
	private static function read(): array {
		$record = get_option( self::OPTION );
		return is_array( $record ) ? $record : array();
	}

	/**
	 * Stores the record. It is loaded with all settings of WordPress, so that looking for it costs a visitor nothing.
	 *
	 * @param array $record The record.
	 */
	private static function save( array $record ): void {
		update_option( self::OPTION, $record, true );
	}

	/**
	 * Returns the active plugins in the order in which they are loaded.
	 *
	 * @return string[]
	 */
	private static function active(): array {
		return array_values( (array) get_option( 'active_plugins', array() ) );
	}

	/**
	 * Sets the active plugins. No hook of a plugin is called: its code may not be the one that is in memory.
	 *
	 * @param string[] $active Their main files.
	 */
	public static function set_active( array $active ): void {
		update_option( 'active_plugins', array_values( $active ) );
	}

	/**
	 * Makes the changed plugin active or inactive, in the old order. What somebody else has changed meanwhile stays.
	 *
	 * @param array $record    The record.
	 * @param bool  $is_active Whether the changed plugin is active from now on.
	 */
	private static function restore_active( array $record, bool $is_active ): void {
		$now   = array_diff( self::active(), array( $record['file'] ) );
		$known = $is_active ? array_merge( $now, array( $record['file'] ) ) : $now;
		$old   = array_intersect( $record['active'], $known );
		self::set_active( array_merge( $old, array_diff( $known, $old ) ) );
	}
}
